/** Shorter than the ten seconds after which a person must know, longer than a slow answer. */
const lostAfter = 7_000;
/** An answer that was on its way when the line was cut says nothing about the line. */
const onItsWay = 2_000;
/** One lost answer is usual on a moving phone. */
const mostFailures = 2;

/** `lost`: the server is not reached. `out`: it no longer knows this device, or nothing is asked any more. */
export type Line = 'good' | 'lost' | 'out';
/** `cut`: somebody is waiting for just this answer, so its loss is shown at once. */
export type Heard = 'good' | 'bad' | 'out' | 'cut';

/** Reports when the line to the server is lost and when it is back: for payment page, counter and sound box alike. */
export function watchLine(report: (line: Line) => void): (heard: Heard) => void {
  let line: Line = 'good';
  let last = performance.now();
  let cut = Number.NEGATIVE_INFINITY;
  let failures = 0;
  const turn = (next: Line) => {
    if (next === line) return;
    line = next;
    report(line);
  };
  const look = () => {
    if (line !== 'out' && (failures >= mostFailures || performance.now() - last > lostAfter)) turn('lost');
  };
  setInterval(look, 1_000);
  addEventListener('offline', () => {
    cut = performance.now();
    hear('cut');
  });
  addEventListener('online', () => {
    cut = Number.NEGATIVE_INFINITY;
  });
  // Nothing was asked while the page slept, so nothing was lost. Its first answer has the usual time.
  document.addEventListener('visibilitychange', () => {
    last = performance.now();
    if (line === 'lost' && failures === 0) turn('good');
  });
  return hear;

  function hear(heard: Heard): void {
    if (heard === 'good' && performance.now() - cut < onItsWay) return;
    if (heard === 'good') last = performance.now();
    failures = heard === 'good' ? 0 : heard === 'cut' ? mostFailures : failures + 1;
    if (heard === 'good' || heard === 'out') turn(heard);
    else look();
  }
}
