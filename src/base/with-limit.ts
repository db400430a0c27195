/** Waits for `job` at most `limit`; then runs `giveUp` and throws its error. */
export async function withLimit<T>(job: Promise<T>, limit: number, giveUp: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(giveUp()), limit);
  });
  // A late failure has no listener, and would end the process as unhandled.
  job.catch(() => {});
  try {
    return await Promise.race([job, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
