import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Stage = {
  /** A folder of its own, gone when all is over. Others may enter it: PostgreSQL runs as another user. */
  folder: string;
  onEnd(end: () => Promise<unknown>): void;
  /** A claim that was seen to hold; the drill ends with 1 when one does not. */
  see(claim: string, holds: boolean, why?: string): void;
};

/** A drill: what it starts is ended in the opposite order, however it ends, and each claim is printed as it is seen. */
export async function playDrill(name: string, play: (stage: Stage) => Promise<void>): Promise<never> {
  const ends: (() => Promise<unknown>)[] = [];
  let [seen, failed] = [0, 0];
  let ending: Promise<void> | null = null;
  const endAll = () => {
    ending ??= (async () => {
      for (const end of ends.reverse()) await end().catch(error => console.error(error));
    })();
    return ending;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endAll().then(() => process.exit(1)));
  const folder = mkdtempSync(join(tmpdir(), 'milaan-drill-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  console.log(name);
  try {
    await play({
      folder,
      onEnd: end => ends.push(end),
      see(claim, holds, why = '') {
        seen++;
        if (!holds) failed++;
        console.log(`  ${holds ? 'seen  ' : 'FAILED'}  ${claim}${holds || why === '' ? '' : `\n${why}`}`);
      },
    });
  } catch (error) {
    failed++;
    console.error(error);
  }
  await endAll();
  console.log(`${name}: ${seen} claims, ${failed} failed`);
  process.exit(failed === 0 && seen > 0 ? 0 : 1);
}
