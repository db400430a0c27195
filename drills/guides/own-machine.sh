# sh own-machine.sh FOLDER COMMAND …, in a mount namespace: the folders that guides write to are layers, gone afterwards.
set -e
layers=$1
shift
mount -t tmpfs tmpfs "$layers"
for folder in etc opt root srv usr/local var; do
  mkdir -p "$layers/$folder/upper" "$layers/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$layers/$folder/upper,workdir=$layers/$folder/work" "/$folder"
done
mkdir -p /etc/systemd/system
exec "$@"
