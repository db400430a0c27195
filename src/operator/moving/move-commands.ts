import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { StartError } from '../../base/start-error.ts';
import { BrokenArchive } from '../../base/tar.ts';
import type { World } from '../../base/world.ts';
import { byOperator, recordAudit } from '../../business/accounts/record-audit.ts';
import { because } from '../../texts/verdicts.ts';
import { startTool, toolPath } from '../backup/postgres-tools.ts';
import type { Command } from '../command.ts';
import { packArchive } from './pack-archive.ts';
import { beginMove, pauseMerchant, undoMove } from './pause-merchant.ts';
import { selectHere, wasExported } from './queries.ts';
import { readMerchant } from './read-merchant.ts';
import type { Kind } from './tables.ts';

export const moveCommands: Record<string, Command> = {
  'export-business': {
    needs: 'database',
    summary: 'write a business with all its data into one file, and close it here',
    options: {
      business: { meaning: 'the id of the business, as list-businesses prints it', required: true },
      into: { meaning: 'the file to write, such as chai-point.tar.gz' },
      key: { meaning: 'an age public key (age1…): only its other half can read the file' },
      inside: {
        meaning:
          'for another database with the same SECRET_KEY: it includes sealed secrets, and the business is only paused',
        flag: true,
      },
      undo: { meaning: 'open it here again; only if the file was imported nowhere', flag: true },
    },
    run: (world, options) =>
      options['undo'] === undefined ? exportMerchant(world, options) : undo(world, options),
  },
  'import-business': {
    needs: 'database',
    summary: 'import a business from a file of export-business: all of it, or nothing',
    positionals: { file: 'the file that export-business wrote' },
    options: {
      identity: { meaning: 'the file that age-keygen wrote, where it is encrypted' },
      plan: { meaning: 'its plan here; the default plan when left out' },
    },
    run: importMerchant,
  },
};

async function exportMerchant(world: World, options: Record<string, string>): Promise<number> {
  const { into, key } = options;
  if (into === undefined) throw new StartError('export-business needs --into');
  if (existsSync(into)) throw new StartError(`${into} exists already: name another file`);
  const merchantId = Number(options['business']);
  if (!Number.isSafeInteger(merchantId)) throw new StartError(`there is no business ${options['business']}`);
  const kind: Kind = options['inside'] === undefined ? 'leaving' : 'inside';
  // Check the folder before the shop is closed: otherwise it would be closed and have no file.
  mkdirSync(dirname(into), { recursive: true });
  const unfinished = `${into}.part`;
  rmSync(unfinished, { force: true });
  if (key !== undefined) await pipeline(Readable.from([]), sealed(key), writeOnce(unfinished));
  const name = await closeHere(world, merchantId, kind);
  const state = kind === 'leaving' ? 'closed' : 'paused';
  console.log(`business ${merchantId} ("${name}") is ${state} here: nothing is read, judged or sent for it`);
  const since = await pauseMerchant(world, merchantId, kind);
  const archive = await packArchive(world, { merchantId, name, kind, since });
  rmSync(unfinished, { force: true });
  const out = writeOnce(unfinished);
  await (key === undefined ? pipeline(archive, out) : pipeline(archive, sealed(key), out));
  renameSync(unfinished, into);
  console.log(
    `${into} is written; import it elsewhere with import-business, or open the business here again with export-business --undo`,
  );
  return 0;
}

/** Writes the audit entry and the marker in one transaction, and the entry only once. */
async function closeHere(world: World, merchantId: number, kind: Kind): Promise<string> {
  return await world.sql.begin(async tx => {
    const { name } = await beginMove(tx, merchantId, kind, world.clock.now());
    const audited = { action: 'business.export', subject: name, notice: because('business_left') } as const;
    if (!(await wasExported(tx, merchantId))) await recordAudit(tx, byOperator(world, merchantId), audited);
    return name;
  });
}

/** Passes a stream through age. A reader that stops ends age, which would wait for it forever. */
function throughAge(...args: string[]) {
  return async function* pass(source: AsyncIterable<Buffer>) {
    const tool = startTool('age', args, { PATH: toolPath }, ['pipe', 'pipe']);
    void pipeline(source, tool.child.stdin!).catch(() => {});
    try {
      yield* tool.child.stdout!;
      await tool.done;
    } finally {
      tool.child.kill();
    }
  };
}

/** Encrypts the archive before it reaches the disk. */
const sealed = (key: string) => throughAge('--encrypt', '--recipient', key);

function writeOnce(path: string): Writable {
  return createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
}

async function undo(world: World, options: Record<string, string>): Promise<number> {
  const merchantId = Number(options['business']);
  if (Number.isSafeInteger(merchantId)) await refuseOlderCopy(world, merchantId);
  const done =
    Number.isSafeInteger(merchantId) &&
    (await world.sql.begin(async tx => {
      if (!(await undoMove(tx, merchantId, world.clock.now()))) return false;
      const audited = {
        action: 'business.export_undo',
        subject: String(merchantId),
        notice: because('business_back'),
      } as const;
      await recordAudit(tx, byOperator(world, merchantId), audited);
      return true;
    }));
  if (!done) throw new StartError(`business ${options['business']} was not moved away`);
  console.log(`business ${merchantId} is open here again; a file of it must be imported nowhere now`);
  return 0;
}

/** With several databases, only the newer copy has the changes after the import. */
async function refuseOlderCopy({ sql, cells }: World, merchantId: number): Promise<void> {
  const here = await selectHere(sql, merchantId);
  for (const other of cells?.worlds ?? []) {
    const there = other.sql === sql ? null : await selectHere(other.sql, merchantId);
    if (here && there && there.arrival_epoch > here.arrival_epoch)
      throw new StartError(
        `business ${merchantId} was imported into cell ${other.cell} since, and that copy is newer: nothing was opened`,
      );
  }
}

/** Limits what a file may unpack to. Rows of a real business shrink 5 to 20 times, a bomb of zeros 1,000 times. */
const mostRatio = 100;
const leastUnpacked = 64 * 1024 ** 2;
const mostUnpacked = 64 * 1024 ** 3;

async function importMerchant(world: World, options: Record<string, string>): Promise<number> {
  const { file = '', identity, plan } = options;
  const packArchive = statSync(file, { throwIfNoEntry: false })?.size;
  if (packArchive === undefined) throw new StartError(`there is no file ${file}`);
  const most = Math.min(mostUnpacked, leastUnpacked + packArchive * mostRatio);
  await world.banks.reload(world);
  const stored = createReadStream(file);
  const open = identity && throughAge('--decrypt', '--identity', identity);
  const opened = open ? Readable.from(open(stored)) : stored;
  const plain = createGunzip();
  let problem: unknown;
  // The archive may end before the file does, so a reader that stops there is no error.
  pipeline(opened, plain).catch(error => {
    problem = error;
  });
  try {
    const { head, written } = await readMerchant(world, plain, { plan, most });
    const counts = ['orders', 'alerts', 'raw_mails', 'events'].map(
      table => `${written[table]?.rows ?? 0} ${table.replace('_', ' ')}`,
    );
    console.log(printable(`business ${head.business} ("${head.name}") has arrived: ${counts.join(', ')}`));
    if (head.kind === 'leaving')
      console.log(
        'its people must choose new passwords and connect the mailbox again, and its webhooks have a new secret; API keys, links and payment pages keep working',
      );
    return 0;
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    // Values that are nested too deeply overflow the stack and throw a RangeError.
    const broken = error instanceof BrokenArchive || error instanceof RangeError || code.startsWith('Z_');
    if (broken)
      throw new StartError(
        printable(`${file} is refused: ${(problem as Error)?.message ?? message}; nothing was imported`),
      );
    throw error instanceof StartError ? new StartError(printable(message)) : ((problem ?? error) as Error);
  } finally {
    plain.destroy();
  }
}

/** A file may contain terminal control characters, which must not reach the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
