import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { sealAgain } from '../seal-again.ts';

export const rotateSecretKeyCommand: Command = {
  needs: 'database',
  summary: 'seal every stored secret with the first key of SECRET_KEY, so that the older ones can be dropped',
  async run(world) {
    let [checked, sealed, lost] = [0, 0, 0];
    for (const one of world.cells?.worlds ?? [world]) {
      const found = await sealAgain(one);
      checked += found.checked;
      sealed += found.sealed;
      lost += found.lost;
    }
    if (checked === 0) {
      throw new StartError(
        'this database holds no sealed secret. If yours does, DATABASE_URL names another one; remove no key from SECRET_KEY',
      );
    }
    if (lost > 0) {
      throw new StartError(
        `${sealed} stored secrets sealed again, but ${lost} were sealed with a key that is not in SECRET_KEY: add it and run this again`,
      );
    }
    console.log(
      `${sealed} stored secrets sealed again, ${checked} checked; you may now remove the older keys from SECRET_KEY`,
    );
    return 0;
  },
};
