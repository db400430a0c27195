import { newSecretKey } from '../secrets.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './command.ts';
import { sealAgain } from './seal-again.ts';

export const keyCommands: Record<string, Command> = {
  'new-secret-key': {
    needs: 'nothing',
    summary: 'print a fresh key for SECRET_KEY',
    options: {},
    async run() {
      console.log(newSecretKey());
      return 0;
    },
  },
  'rotate-secret-key': {
    needs: 'database',
    summary:
      'seal every stored secret with the first key of SECRET_KEY, so that the older ones can be dropped',
    options: {},
    async run(world) {
      const { sealed, lost } = await sealAgain(world);
      if (lost > 0) {
        throw new StartError(
          `${sealed} stored secrets sealed again, but ${lost} were sealed with a key that is not in SECRET_KEY: add it and run this again`,
        );
      }
      console.log(`${sealed} stored secrets sealed again; the older keys may now leave SECRET_KEY`);
      return 0;
    },
  },
};
