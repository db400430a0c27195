import { waitFor } from './wait-for.ts';

/** Waits for something that another process brings about. Fails by saying what did not happen. */
export async function until(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(what, happened);
}
