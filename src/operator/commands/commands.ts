import type { Command } from '../command.ts';

type Load = () => Promise<Command>;

/** The commands of `milaan`, without `sandbox` and the deprecated ones. Only the command that runs is loaded. */
export const commands: Record<string, Load> = {
  ...inOneFile(
    async () => (await import('./merchant-commands.ts')).merchantCommands,
    ['create-business', 'list-businesses', 'disable', 'enable', 'delete-business', 'set-plan'],
  ),
  ...inOneFile(
    async () => (await import('./plan-commands.ts')).planCommands,
    ['list-plans', 'apply-plans', 'set-seller'],
  ),
  ...inOneFile(
    async () => (await import('./account-commands.ts')).accountCommands,
    ['create-operator', 'reset-password', 'invite-business'],
  ),
  'rotate-secret-key': async () => (await import('./rotate-secret-key.ts')).rotateSecretKeyCommand,
  ...inOneFile(
    async () => (await import('../moving/move-commands.ts')).moveCommands,
    ['export-business', 'import-business'],
  ),
  ...inOneFile(
    async () => (await import('../cells/cell-commands.ts')).cellCommands,
    ['list-cells', 'add-cell', 'open-cell'],
  ),
  listen: async () => (await import('./listen.ts')).listenCommand,
  trigger: async () => (await import('./trigger.ts')).triggerCommand,
  setup: async () => (await import('./setup.ts')).setupCommand,
  doctor: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  upgrade: async () => (await import('./upgrade.ts')).upgradeCommand,
  backup: async () => (await import('../backup/backup.ts')).backupCommand,
  restore: async () => (await import('../backup/restore.ts')).restoreCommand,
  'breach-scope': async () => (await import('./breach-scope.ts')).breachScopeCommand,
  verify: async () => (await import('../cells/verify-cells.ts')).verifyCommand,
  'explain-alert': async () => (await import('./explain-alert.ts')).explainAlertCommand,
  'judge-again': async () => (await import('./judge-again.ts')).judgeAgainCommand,
};

/** These work and warn in this release; the next one removes them. */
export const deprecatedCommands: Record<string, Load> = inOneFile(
  async () => (await import('./upi-commands.ts')).upiCommands,
  ['add-upi-account'],
);

/** Names of the previous release. They still work, and stderr says what to write instead. */
export const renamedCommands: Record<string, string> = {
  plans: 'list-plans',
  'plans apply': 'apply-plans',
  seller: 'set-seller',
  'cells list': 'list-cells',
  'cells add': 'add-cell',
  'cells open': 'open-cell',
  reach: 'breach-scope',
  'approve-business': 'enable --approve',
  'reset-two-step': 'reset-password --two-step',
};

/** Commands that this release removed, and what to use instead. */
export const removedCommands: Record<string, string> = {
  'cells verify': 'use verify, which checks every cell',
  'cells move-business':
    'use export-business --inside, two lines in CELLS_FILE and import-business (docs/cells.md)',
  'cells tidy': 'no command moves businesses any more; if 0.2.0 moved some, run its own cells tidy',
  'cells settle': 'a restored cell needs no further step',
  'new-secret-key': 'use openssl rand -base64 32',
  mcp: 'use milaan-mcp of the package @milaan/mcp (sdk/mcp/README.md)',
};

function inOneFile(load: () => Promise<Record<string, Command>>, names: string[]): Record<string, Load> {
  return Object.fromEntries(names.map(name => [name, async () => (await load())[name]!]));
}
