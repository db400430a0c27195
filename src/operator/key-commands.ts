import { newSecretKey } from '../secrets.ts';
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
      const count = await sealAgain(world);
      console.log(`${count} stored secrets sealed again; the older keys may now leave SECRET_KEY`);
      return 0;
    },
  },
};
