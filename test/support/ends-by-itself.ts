import './own-world.ts';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before every test file: a file that leaves a server, a process or a timer behind is a failure that names
 * itself. Without this it would hold up the whole run, because the runner limits the time of tests and not of files.
 */
const graceMs = 20_000;

// A thread that the product starts loads this too, and is no test.
if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined) {
  const { after } = await import('node:test');
  after(() => {
    setTimeout(() => {
      console.error(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    }, graceMs).unref();
  });
}
