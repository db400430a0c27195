import { connect } from '../../base/database/connect.ts';
import { openDns } from '../../base/network/dns.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { describeDatabase } from '../describe-installation.ts';
import { checkDatabase } from './check-database.ts';
import { checkForwarding } from './check-forwarding.ts';
import { checkMail } from './check-mail.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkPush } from './check-push.ts';
import { checkRoutines } from './check-routines.ts';
import { type Finding, fault } from './finding.ts';

const marks = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' };

/** Looks at everything a live installation stands on, and changes nothing but the row that /readyz writes too. */
export const doctorCommand: Command = {
  needs: 'settings',
  summary: 'look at everything this installation stands on, and say what to do; exit code 1 on a fault',
  options: {},
  async run(config) {
    const { databaseUrl } = config;
    if (databaseUrl === null)
      throw new StartError(`the doctor looks at live installations; settings: ${config.settingsFrom}`);
    const sql = connect(databaseUrl, { most: 3 });
    const dns = openDns(config.dnsServers);
    const count = { ok: 0, warning: 0, fault: 0 };
    const tell = (findings: readonly Finding[]) => {
      for (const finding of findings) {
        count[finding.state]++;
        console.log(`${marks[finding.state]}  ${finding.what.padEnd(12)}  ${finding.found}`);
        if (finding.state !== 'ok') console.log(`${' '.repeat(23)}${finding.todo}`);
      }
    };
    try {
      const away = await sql`select 1`.then(
        () => null,
        error =>
          fault(
            'database',
            `the ${describeDatabase(databaseUrl)}: ${(error as Error).message}`,
            'start PostgreSQL, or correct DATABASE_URL',
          ),
      );
      // Without a database only the address is left to look at.
      const looks = away
        ? [async () => [away], () => checkPublicUrl(config)]
        : [
            () => checkDatabase(sql, config),
            () => checkRoutines(sql, config),
            () => checkMail(sql, dns, config),
            () => checkForwarding(sql, config),
            () => checkPush(sql, config),
            () => checkPublicUrl(config),
          ];
      for (const look of looks)
        tell(
          await look().catch(error => [
            fault('doctor', (error as Error).message, 'nothing below it in this group was looked at'),
          ]),
        );
    } finally {
      await sql.end({ timeout: 1 });
    }
    console.log(`${count.ok} ok, ${count.warning} warnings, ${count.fault} faults`);
    return count.fault === 0 ? 0 : 1;
  },
};
