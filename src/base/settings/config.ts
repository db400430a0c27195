import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseKeyRing } from '../secrets.ts';
import { type CellMap, isDatabaseUrl, readCellsFile } from './config-cells.ts';
import { mailSettings, receiveSettings } from './config-mail.ts';
import { type Operator, operatorSettings } from './config-operator.ts';
import {
  certificates,
  dnsServers,
  isThisMachine,
  keepBounds,
  openReader,
  pushKey,
  type Reader,
} from './config-values.ts';
import { type Environment, findSettings, liveNames, type Mode, type Settings } from './find-settings.ts';
import { readAllowList } from './read-allow-list.ts';

const mostPort = 65535;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
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

export function readConfig(
  args: readonly string[],
  env: Environment,
  settings: Partial<Settings> = {},
): ReadConfig {
  const problems = [...(settings.problems ?? [])];
  const config = collectConfig(args, env, settings, problem => problems.push(problem));
  return problems.length > 0 ? { problems: [...problems, ...config.warnings], partly: config } : { config };
}

/** All settings, read once. A wrong value becomes a problem in words, never an exception. */
export type Config = ReturnType<typeof collectConfig>;

function collectConfig(
  args: readonly string[],
  env: Environment,
  { from = 'the environment', meant = null, file = null, fileNames = [] }: Partial<Settings>,
  complain: Reader['complain'],
) {
  const read = openReader(env, complain);
  const { text, form } = read;
  const live = liveSettings(read, meant);
  const host = text('HOST') ?? (live.mode === 'live' ? '0.0.0.0' : '127.0.0.1');
  const port = read.number('PORT', 8080, 0, mostPort);
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
    sandboxPublic: sandboxPublic(read, live.mode, host),
    port,
    /** The demo shop's port: the next one, or a free one for PORT=0 or if that is in use. */
    shopPort: port === 0 || port === mostPort ? 0 : port + 1,
    databasePool: read.number('DATABASE_POOL', fewConnections(), 2, 500),
    orderIdPrefix:
      form('ORDER_ID_PREFIX', /^[A-Za-z0-9]{1,12}$/, 'must be 1 to 12 letters or digits') ?? 'ML',
    /** The program's start and `apply-plans` apply this file. Other commands use the plans in the database. */
    plansFile: text('PLANS_FILE'),
    banksFile: read.file('BANKS_FILE') && text('BANKS_FILE'),
    dnsServers: dnsServers(read),
    webhookAllow: readAllowList(read),
    googleClient: oauthClient('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', read),
    microsoftClient: oauthClient('MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET', read),
    /** Certificate authorities (PEM) trusted for IMAP in addition to the usual ones. */
    imapCa: certificates('IMAP_CA_FILE', read),
    ...mailSettings(read),
    /** The key for push services; the sandbox creates its own. Null: no notices to devices. */
    pushKey: pushKey(read),
    /** The key that encrypts backups (age), their folder, and for how many days they are kept. */
    backupKey: form(
      'BACKUP_KEY',
      /^age1[0-9a-z]{50,100}$/,
      'must be a public key of age, such as age-keygen prints: age1…',
    ),
    backupFolder: resolve(text('BACKUP_DIR') ?? '/var/backups/milaan'),
    backupDays: read.number('BACKUP_DAYS', 14, 1, 3650),
    ...receiveSettings(read, args, live.mode, host),
    /** The bounds for owners' choice of retention. */
    keep: keepBounds(read),
    ...operatorSettings(read, live.mode),
    rateLimits: rateLimits(read),
    metricsToken: text('METRICS_TOKEN'),
    trustProxy: read.yes('TRUST_PROXY'),
    logLevel: read.choice('LOG_LEVEL', live.mode === 'live' ? 'info' : 'warn', logLevels),
    /** npm starts us through a shell. If npm dies, nobody stops us. */
    startedByNpm: ['start', 'npx'].includes(env['npm_lifecycle_event'] ?? ''),
  };
  const warnings = removedSettings(read, config, file);
  // Clients have settings of their own, which begin like this.
  const misspelt = fileNames.filter(name => !read.known.has(name) && !/^MILAAN_/.test(name));
  if (misspelt.length > 0)
    warnings.push(`${file} has unknown settings, which are ignored: ${misspelt.join(', ')}`);
  return { ...config, warnings };
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
function liveSettings(read: Reader, meant: Mode | null): LiveSettings {
  const { text, complain } = read;
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
  const cells = readCellsFile(read);
  const ring = parseKeyRing(values.SECRET_KEY ?? '');
  if (values.SECRET_KEY !== null && 'problem' in ring) complain(`SECRET_KEY ${ring.problem}`);
  return {
    mode: 'live',
    publicUrl: publicUrl(read),
    databaseUrl:
      cellsFile === null
        ? read.form('DATABASE_URL', { test: isDatabaseUrl }, databaseUrlRule)
        : (cells?.urls[0] ?? null),
    cells,
    keyRing: 'keys' in ring ? ring.keys : [],
  };
}

/** In the sandbox nobody needs a key, anybody moves its clock, and it calls addresses of this machine. */
function sandboxPublic({ yes, complain }: Reader, mode: Mode, host: string): boolean {
  const meant = yes('SANDBOX_PUBLIC');
  if (mode === 'sandbox' && !meant && !isThisMachine(host)) {
    complain(
      `HOST ${host} lets others reach the sandbox, which asks nobody for a key: set SANDBOX_PUBLIC=yes if you mean it`,
    );
  }
  return meant;
}

const databaseUrlRule = 'must look like postgres://user:password@host:5432/name';

function publicUrl({ form }: Reader): string | null {
  const value = form(
    'PUBLIC_URL',
    { test: isOrigin },
    'must be the address customers see, such as https://pay.example.in, without a path',
  );
  return value && (isOrigin(value) ? new URL(value).origin : value);
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  const { search, hash, username, pathname } = url ?? {};
  return /^https?:$/.test(url?.protocol ?? '') && !search && !hash && !username && pathname === '/';
}

function rolesFrom(args: readonly string[], complain: Reader['complain']): readonly Role[] {
  const unknown = args.filter(arg => !roles.includes(arg as Role));
  if (unknown.length > 0) complain(`unknown role ${unknown.join(', ')}; roles are ${roles.join(', ')}`);
  return args.length === 0 ? [...roles] : roles.filter(role => args.includes(role));
}

function oauthClient(idName: string, secretName: string, { text, complain }: Reader): OauthClient | null {
  const [id, secret] = [text(idName), text(secretName)];
  if (id !== null && secret !== null) return { id, secret };
  if (id !== null || secret !== null) complain(`${idName} and ${secretName} belong together`);
  return null;
}

function rateLimits({ text, complain }: Reader): RateLimits {
  const value = text('RATE_LIMITS') ?? 'key=6000,address=12000';
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

type InForce = {
  mode: Mode;
  mailDomain: string | null;
  receiveHost: string;
  receivePort: number | null;
  operator: Operator;
};

/**
 * Removed settings of 0.2.0, each with its replacement; the next release drops this list. If the value still has the
 * same effect, this only warns. Otherwise it stops the start, because what the operator asked for would silently
 * change.
 */
function removedSettings(
  { text, complain }: Reader,
  { mode, mailDomain, receiveHost, receivePort, operator }: InForce,
  file: string | null,
): string[] {
  const table: [name: string, instead: string, holds: (value: string) => boolean][] = [
    ['SHOP_PORT', 'the demo shop listens on the port after PORT, or on a free one', () => true],
    [
      'RECEIVE_HOST',
      'write the address before the port, such as RECEIVE_PORT=127.0.0.1:25',
      value => value === receiveHost || mailDomain === null || receivePort === null,
    ],
    ['MILAAN_MODE', 'start with --live or --sandbox', value => value === mode],
    ['MILAAN_ENV_FILE', 'use --env-file FILE', value => value === file],
    [
      'OPERATOR_TERMS_VERSION',
      'write the version into OPERATOR_TERMS_URL, such as https://example.in/terms#2026-11',
      value => operator.termsUrl?.split(/[#/?&=]/).includes(value) ?? false,
    ],
  ];
  const warnings: string[] = [];
  for (const [name, instead, holds] of table) {
    const value = text(name);
    if (value === null) continue;
    const sentence = `${name} was removed in this release: ${instead}, and remove ${name}`;
    if (holds(value)) warnings.push(sentence);
    else complain(sentence);
  }
  return warnings;
}
