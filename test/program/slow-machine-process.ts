import { registerHooks } from 'node:module';

/** Loaded before the program: reading one of its files takes longer than a database may take to answer. */
const pause = 7000;

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('/start-delivering.ts'))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    return nextLoad(url, context);
  },
});
