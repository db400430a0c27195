// Loaded before the program where the launcher runs it as a child: killed with -9 the launcher tells nobody, but this channel ends.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // No reason to stay.
  process.channel.unref();
}
