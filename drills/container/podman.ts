import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Images, containers and settings of the drill's own, so that none of this machine's are touched. A container inside a
 * container is allowed less than podman asks for by itself; names of services are answered by netavark's DNS.
 */
export function keepApart(folder: string): void {
  const at = (name: string) => join(folder, name);
  mkdirSync(at('storage'));
  writeFileSync(
    at('storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${at('storage')}"\nrunroot = "${at('storage-run')}"\n`,
  );
  writeFileSync(
    at('containers.conf'),
    '[engine]\nruntime = "runc"\n[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[network]\nnetwork_backend = "netavark"\ndefault_subnet = "10.147.0.0/16"\n',
  );
  process.env['CONTAINERS_CONF'] = at('containers.conf');
  process.env['CONTAINERS_STORAGE_CONF'] = at('storage.conf');
}

export function podman(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync('podman', args, { encoding: 'utf8', maxBuffer: 1e8 });
}

export function must(...args: string[]): string {
  const { status, stdout, stderr } = podman(...args);
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr.slice(-3000)}`);
  return stdout.trim();
}
