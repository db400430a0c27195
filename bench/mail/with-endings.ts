export type AtEnd = (ending: () => unknown) => void;

/** Runs a benchmark and then stops what it started, last first, also after a failure or Ctrl-C. */
export async function withEndings(work: (atEnd: AtEnd) => Promise<void>): Promise<void> {
  const endings: (() => unknown)[] = [];
  let ended: Promise<void> | null = null;
  const endAll = async () => {
    for (const end of endings.reverse()) {
      try {
        await end();
      } catch (error) {
        console.error(error);
      }
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ended ??= endAll();
      void ended.finally(() => process.exit(1));
    });
  }
  try {
    await work(ending => endings.push(ending));
  } finally {
    ended ??= endAll();
    await ended;
  }
}
