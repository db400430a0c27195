import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseKeyRing } from '../secrets.ts';
import { type CellMap, isDatabaseUrl, readCellsFile } from './config-cells.ts';
import { mailSettings, receiveSettings } from './config-mail.ts';
import { operatorSettings } from './config-operator.ts';
import {
  allowedHosts,
  backupKey,
  type Complain,
  certificates,
  dnsServers,
  isThisMachine,
  keepBounds,
  type Mode,
  oneOf,
  pushKey,
  readableFile,
  type Text,
  wholeNumber,
  yesOrNo,
} from './config-values.ts';
import { type Environment, findSettings, liveNames, type Settings } from './find-settings.ts';
import { removedSettings } from './removed-settings.ts';

const mostPort = 65535;
const roles = ['web', 'mail', 'deliver', 'receive'] as const;
export type Role = (typeof roles)[number];

/** This installation's registration at a mail provider. */
export type OauthClient = { id: string; secret: string };

type RateLimits = { perKey: number; perAddress: number } | 'off';

/** The only function that reads the environment, for the program and every command. */
export function readSettings(args: readonly string[]): Settings {
  return findSettings(args, process.env);
}

/** With problems, the readable part is returned too, because the files that it names may have problems as well. */
export type ReadConfig = { config: Config } | { problems: string[]; partly: Config };

/** Reads every setting from `readSettings`, or from what a test passes. */
export function readConfig(
  args: readonly string[],
  env: Environment,
  settings: Partial<Settings> = {},
): ReadConfig {
  const problems = [...(settings.problems ?? [])];
  const config = collectConfig(args, env, settings, problem => problems.push(problem));
  return problems.length > 0 ? { problems, partly: config } : { config };
}

/** All settings, read once. A wrong value becomes a problem in words, never an exception. */
export type Config = ReturnType<typeof collectConfig>;

function collectConfig(
  args: readonly string[],
  env: Environment,
  { from = 'the environment', meant = null, file = null }: Partial<Settings>,
  complain: Complain,
) {
  const text = (name: string) => env[name]?.trim() || null;
  const live = liveSettings(text, meant, complain);
  const host = text('HOST') ?? (live.mode === 'live' ? '0.0.0.0' : '127.0.0.1');
  const port = wholeNumber('PORT', text('PORT') ?? '8080', 0, mostPort, complain);
  const config = {
    ...live,
    settingsFrom: from,
    /** True if the operator asked for the sandbox; it is also the default. */
    sandboxMeant: meant === 'sandbox',
    roles: rolesFrom(args, complain),
    dataDir: resolve(text('DATA_DIR') ?? '.milaan'),
    /** The list of erasures, outside database and backup, so that a restored backup is erased again. */
    erasuresFile: resolve(
      text('ERASURES_FILE') ??
        join(live.mode === 'live' ? '/var/lib/milaan' : (text('DATA_DIR') ?? '.milaan'), 'erasures.json'),
    ),
    host,
    /** Other machines may reach the sandbox, and the operator agreed. */
    sandboxPublic: sandboxPublic(text('SANDBOX_PUBLIC') ?? 'no', live.mode, host, complain),
    port,
    /** The demo shop's port: the next one, or a free one for PORT=0 or if that is in use. */
    shopPort: port === 0 || port === mostPort ? 0 : port + 1,
    databasePool: wholeNumber(
      'DATABASE_POOL',
      text('DATABASE_POOL') ?? String(fewConnections()),
      2,
      500,
      complain,
    ),
    orderIdPrefix: orderIdPrefix(text('ORDER_ID_PREFIX') ?? 'ML', complain),
    /** The program's start and `apply-plans` apply this file. Other commands use the plans in the database. */
    plansFile: text('PLANS_FILE'),
    banksFile: readableFile('BANKS_FILE', text('BANKS_FILE'), complain),
    dnsServers: dnsServers(text('DNS_SERVERS'), complain) as readonly string[],
    webhookAllow: allowedHosts(text('WEBHOOK_ALLOW'), complain) as readonly string[],
    googleClient: oauthClient('GOOGLE', text('GOOGLE_CLIENT_ID'), text('GOOGLE_CLIENT_SECRET'), complain),
    microsoftClient: oauthClient(
      'MICROSOFT',
      text('MICROSOFT_CLIENT_ID'),
      text('MICROSOFT_CLIENT_SECRET'),
      complain,
    ),
    /** Certificate authorities (PEM) trusted for IMAP in addition to the usual ones. */
    imapCa: certificates('IMAP_CA_FILE', text('IMAP_CA_FILE'), complain),
    ...mailSettings(text, complain),
    /** The key for push services; the sandbox creates its own. Null: no notices to devices. */
    pushKey: pushKey(text('PUSH_KEY'), complain),
    /** The key that encrypts backups (age), their folder, and for how many days they are kept. */
    backupKey: backupKey(text('BACKUP_KEY'), complain),
    backupFolder: resolve(text('BACKUP_DIR') ?? '/var/backups/milaan'),
    backupDays: wholeNumber('BACKUP_DAYS', text('BACKUP_DAYS') ?? '14', 1, 3650, complain),
    ...receiveSettings(args, live.mode, host, text, complain),
    /** The bounds for owners' choice of retention. */
    keep: keepBounds(text('KEEP_DAYS'), complain),
    ...operatorSettings(text, live.mode, complain),
    rateLimits: rateLimits(text('RATE_LIMITS') ?? 'key=6000,address=12000', complain),
    metricsToken: text('METRICS_TOKEN'),
    trustProxy: yesOrNo('TRUST_PROXY', text('TRUST_PROXY') ?? 'no', complain),
    logLevel: oneOf(
      'LOG_LEVEL',
      text('LOG_LEVEL') ?? (live.mode === 'live' ? 'info' : 'warn'),
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      complain,
    ),
    /** npm starts us through a shell. If npm dies, nobody stops us. */
    startedByNpm: ['start', 'npx'].includes(env['npm_lifecycle_event'] ?? ''),
  };
  return { ...config, warnings: removedSettings(env, config, file, complain) };
}

type LiveSettings = {
  mode: Mode;
  publicUrl: string | null;
  /** With several databases, the address of cell 0. */
  databaseUrl: string | null;
  /** Null with one database. */
  cells: CellMap | null;
  keyRing: readonly Buffer[];
};

/**
 * Live mode needs all three settings. With only some of them, a shop could wrongly believe it is live. `--live`, which
 * every unit file and the image pass, refuses none as well. `--sandbox` ignores the three. CELLS_FILE replaces
 * DATABASE_URL.
 */
function liveSettings(text: Text, meant: Mode | null, complain: Complain): LiveSettings {
  const values = {
    PUBLIC_URL: text('PUBLIC_URL'),
    DATABASE_URL: text('DATABASE_URL'),
    SECRET_KEY: text('SECRET_KEY'),
  };
  const cellsFile = text('CELLS_FILE');
  values.DATABASE_URL ??= cellsFile;
  const missing = liveNames.filter(name => values[name] === null);
  if (meant === 'sandbox' || (meant === null && missing.length === 3)) {
    return { mode: 'sandbox', publicUrl: null, databaseUrl: null, cells: null, keyRing: [] };
  }
  if (missing.length > 0) {
    complain(`live mode needs PUBLIC_URL, DATABASE_URL and SECRET_KEY; missing: ${missing.join(', ')}`);
  }
  if (cellsFile !== null && text('DATABASE_URL') !== null)
    complain('CELLS_FILE and DATABASE_URL exclude each other: several databases, or one');
  const cells = readCellsFile(cellsFile, complain);
  const ring = parseKeyRing(values.SECRET_KEY ?? '');
  if (values.SECRET_KEY !== null && 'problem' in ring) complain(`SECRET_KEY ${ring.problem}`);
  return {
    mode: 'live',
    publicUrl: values.PUBLIC_URL && publicUrl(values.PUBLIC_URL, complain),
    databaseUrl: cellsFile === null ? databaseUrl(values.DATABASE_URL, complain) : (cells?.urls[0] ?? null),
    cells,
    keyRing: 'keys' in ring ? ring.keys : [],
  };
}

/** In the sandbox nobody needs a key, anybody moves its clock, and it calls addresses of this machine. */
function sandboxPublic(value: string, mode: Mode, host: string, complain: Complain): boolean {
  const meant = yesOrNo('SANDBOX_PUBLIC', value, complain);
  if (mode === 'sandbox' && !meant && !isThisMachine(host)) {
    complain(
      `HOST ${host} lets others reach the sandbox, which asks nobody for a key: set SANDBOX_PUBLIC=yes if you mean it`,
    );
  }
  return meant;
}

function publicUrl(value: string, complain: Complain): string {
  const url = URL.parse(value);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    url.username ||
    url.pathname !== '/'
  ) {
    complain('PUBLIC_URL must be the address customers see, such as https://pay.example.in, without a path');
    return value;
  }
  return url.origin;
}

function databaseUrl(value: string | null, complain: Complain): string | null {
  if (value !== null && !isDatabaseUrl(value))
    complain('DATABASE_URL must look like postgres://user:password@host:5432/name');
  return value;
}

function rolesFrom(args: readonly string[], complain: Complain): readonly Role[] {
  const unknown = args.filter(arg => !roles.includes(arg as Role));
  if (unknown.length > 0) complain(`unknown role ${unknown.join(', ')}; roles are ${roles.join(', ')}`);
  return args.length === 0 ? [...roles] : roles.filter(role => args.includes(role));
}

function orderIdPrefix(value: string, complain: Complain): string {
  if (!/^[A-Za-z0-9]{1,12}$/.test(value)) complain('ORDER_ID_PREFIX must be 1 to 12 letters or digits');
  return value;
}

function oauthClient(
  name: string,
  id: string | null,
  secret: string | null,
  complain: Complain,
): OauthClient | null {
  if (id !== null && secret !== null) return { id, secret };
  if (id !== null || secret !== null) complain(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET belong together`);
  return null;
}

function rateLimits(value: string, complain: Complain): RateLimits {
  if (value === 'off') return 'off';
  const match = /^key=(\d{1,9}),address=(\d{1,9})$/.exec(value.replaceAll(' ', ''));
  if (match && Number(match[1]) > 0 && Number(match[2]) > 0) {
    return { perKey: Number(match[1]), perAddress: Number(match[2]) };
  }
  complain('RATE_LIMITS must be off, or requests a minute such as key=6000,address=12000');
  return 'off';
}

/** More connections slow a small machine down, because they compete for the processor. */
function fewConnections(): number {
  return 4 + 2 * availableParallelism();
}
