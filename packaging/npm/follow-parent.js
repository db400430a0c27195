// Loaded before the program if the launcher runs it as a child. A launcher that is killed with -9 cannot notify it, but
// this channel ends.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep the process alive.
  process.channel.unref();
}
