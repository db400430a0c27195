/** Waits for something that another process brings about. Fails by saying what did not happen. */
export async function until(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await happened()) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`did not happen: ${what}`);
}
