import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the program (`--import`), in its threads too: its wall clock is off by as many milliseconds as the
 * file named in DRILL_CLOCK_FILE says at this moment. Only `Date` is shifted: when a machine's clock is set, its
 * monotonic clock and the timers go on as before.
 */
const file = process.env['DRILL_CLOCK_FILE'];
const TrueDate = Date;
let shift = 0;

if (file) {
  const look = () => {
    // The file is empty while the drill writes it. Keep the last value then.
    const said = Number.parseInt(readFileSync(file, 'utf8'), 10);
    if (!Number.isFinite(said) || said === shift) return;
    shift = said;
    if (isMainThread) writeFileSync(`${file}.seen`, String(shift));
  };
  look();
  setInterval(look, 50).unref();
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + shift] : args, newTarget),
    apply: target => new target(target.now() + shift).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? () => target.now() + shift : Reflect.get(target, name, receiver),
  });
}
