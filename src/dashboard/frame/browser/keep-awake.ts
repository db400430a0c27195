type WakeLocks = { request(kind: 'screen'): Promise<EventTarget> };

/** The lock ends whenever the page is out of sight, so it is asked for again each time it is back. */
export function keepAwake(tell: (isAwake: boolean) => void = () => {}): void {
  const locks = (navigator as unknown as { wakeLock?: WakeLocks }).wakeLock;
  const ask = () => {
    if (document.visibilityState !== 'visible') return;
    if (!locks) return tell(false);
    locks.request('screen').then(
      lock => {
        tell(true);
        lock.addEventListener('release', () => setTimeout(ask, 1_000));
      },
      () => tell(false),
    );
  };
  ask();
  document.addEventListener('visibilitychange', ask);
}
