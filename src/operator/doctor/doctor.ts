import { selectNewestCell } from '../../base/database/applied-migrations.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import { openDns } from '../../base/network/dns.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { describeDatabase } from '../running/describe-installation.ts';
import { checkDatabase } from './check-database.ts';
import { checkForwarding } from './check-forwarding.ts';
import { checkMail } from './check-mail.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkPush, checkRoutines } from './check-routines.ts';
import { type Finding, fault, fine } from './finding.ts';

const labels = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' };

/** Checks everything a live installation depends on. It changes only the row that /readyz writes too. */
export const doctorCommand: Command = {
  needs: 'settings',
  summary: 'check everything this installation depends on, and say what to do; exit code 1 on a fault',
  async run(config) {
    const { databaseUrl, cells } = config;
    if (databaseUrl === null)
      throw new StartError(`the doctor looks at live installations; settings: ${config.settingsFrom}`);
    const count = { ok: 0, warning: 0, fault: 0 };
    const report = (findings: readonly Finding[]) => {
      for (const finding of findings) {
        count[finding.state]++;
        console.log(`${labels[finding.state]}  ${finding.what.padEnd(12)}  ${finding.found}`);
        if (finding.state !== 'ok') console.log(`${' '.repeat(23)}${finding.todo}`);
      }
    };
    for (const [number, url] of (cells?.urls ?? [databaseUrl]).entries()) {
      if (cells) console.log(`cell ${number}, ${describeDatabase(url)}`);
      await checkCell({ ...config, databaseUrl: url }, number, report);
    }
    report(await guarded(() => checkPublicUrl(config)));
    console.log(`${count.ok} ok, ${count.warning} warnings, ${count.fault} faults`);
    return count.fault === 0 ? 0 : 1;
  },
};

/** Checks one database and everything stored in it. Without a database it checks only the public address. */
async function checkCell(
  config: Config & { databaseUrl: string },
  cell: number,
  report: (findings: readonly Finding[]) => void,
): Promise<void> {
  const { databaseUrl, cells } = config;
  const sql = connect(databaseUrl, { most: 3 });
  const dns = openDns(config.dnsServers);
  const todo = `start PostgreSQL, or correct ${cells ? 'CELLS_FILE' : 'DATABASE_URL'}`;
  try {
    const unreachable = await sql`select 1`.then(
      () => null,
      error => fault('database', `the ${describeDatabase(databaseUrl)}: ${(error as Error).message}`, todo),
    );
    const checks = unreachable
      ? [async () => [unreachable]]
      : [
          () => checkDatabase(sql, config),
          ...(cells && cell === 0 ? [() => checkCells(sql, cells.urls.length)] : []),
          () => checkRoutines(sql, config),
          () => checkMail(sql, dns, config),
          () => checkForwarding(sql, config),
          () => checkPush(sql, config),
        ];
    for (const check of checks) report(await guarded(check));
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function guarded(check: () => Promise<Finding[]>): Promise<Finding[]> {
  return await check().catch(error => [
    fault('doctor', (error as Error).message, 'the checks after it in this group did not run'),
  ]);
}

/** Cells are never removed, so a file with fewer cells than cell 0 knows is outdated. */
async function checkCells(sql: Sql, listed: number): Promise<Finding[]> {
  const known = await selectNewestCell(sql);
  return known < listed
    ? [fine('cells', `CELLS_FILE lists all ${listed}`)]
    : [
        fault(
          'cells',
          `CELLS_FILE lists ${listed}, and there is a cell ${known}`,
          'copy the newest one here',
        ),
      ];
}
