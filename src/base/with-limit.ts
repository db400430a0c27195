/** `job`, unless it takes longer than `limit`: then `giveUp` runs and the wait ends with its error. */
export async function withLimit<T>(job: Promise<T>, limit: number, giveUp: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(giveUp()), limit);
  });
  // Whoever loses the race may still fail; nobody is left to hear it.
  job.catch(() => {});
  try {
    return await Promise.race([job, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
