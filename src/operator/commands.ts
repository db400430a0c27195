import { accountCommands } from './account-commands.ts';
import { backupCommand } from './backup/backup.ts';
import { restoreCommand } from './backup/restore.ts';
import { businessCommands } from './business-commands.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { draftBankCommand } from './draft-bank.ts';
import { explainAlertCommand } from './explain-alert.ts';
import { judgeAgainCommand } from './judge-again.ts';
import { keyCommands } from './key-commands.ts';
import { setupCommand } from './setup.ts';
import { upgradeCommand } from './upgrade.ts';
import { upiCommands } from './upi-commands.ts';
import { verifyCommand } from './verify.ts';

/** Everything an operator can say to `milaan`. */
export const commands: Record<string, Command> = {
  ...businessCommands,
  ...accountCommands,
  ...upiCommands,
  ...keyCommands,
  setup: setupCommand,
  doctor: doctorCommand,
  upgrade: upgradeCommand,
  backup: backupCommand,
  restore: restoreCommand,
  verify: verifyCommand,
  'explain-alert': explainAlertCommand,
  'judge-again': judgeAgainCommand,
  'draft-bank': draftBankCommand,
};
