import type { Bank } from '../../alerts/banks/bank.ts';
import { extendBanks } from '../../alerts/banks/load-banks.ts';
import { selectEntries } from '../../alerts/book/queries.ts';
import { explainAlert } from '../../alerts/judging/explain-alert.ts';
import { systemClock } from '../../base/clock.ts';
import { connect } from '../../base/database/connect.ts';
import { runningEmbedded } from '../../base/database/embedded.ts';
import { openDns } from '../../base/network/dns.ts';
import type { Config } from '../../base/settings/config.ts';
import type { Command } from '../command.ts';
import { banksOf } from '../open-world.ts';

/** Explains why a mail was accepted or not, also while a bank entry is being written. Writes to no database. */
export const explainAlertCommand: Command = {
  needs: 'nothing',
  summary: 'explain for raw mails (a.eml b.eml …) why each is accepted or not, one JSON object per line',
  options: {
    'addressed-to': { meaning: 'the alert addresses of the business, separated by commas', required: true },
    dns: { meaning: 'a JSON file of DNS names and TXT strings that replaces DNS' },
    at: { meaning: 'the moment of arrival, such as 2026-11-14T10:00:00Z; otherwise now' },
  },
  settings: 'BANKS_FILE, DNS_SERVERS, DATABASE_URL (for saved bank entries)',
  async run(args: string[], settings: () => Config): Promise<number> {
    const config = settings();
    return explainAlert(
      {
        clock: systemClock,
        dns: openDns(config.dnsServers),
        banks: await knownBanks(config),
        print: line => console.log(line),
        complain: sentence => console.error(`milaan: ${sentence}`),
      },
      args,
    );
  },
};

/** Adds the saved bank entries if a database answers. Without one, mails are explained with the built-in entries. */
async function knownBanks(config: Config): Promise<readonly Bank[]> {
  const { databaseUrl, mode, dataDir } = config;
  const banks = banksOf(config);
  const url = databaseUrl ?? (mode === 'sandbox' ? runningEmbedded(dataDir) : null);
  if (url === null) return banks;
  const sql = connect(url, { most: 1 });
  try {
    return extendBanks(banks, await selectEntries(sql)).banks;
  } catch (error) {
    console.error(`milaan: saved bank entries are left out: ${(error as Error).message}`);
    return banks;
  } finally {
    await sql.end();
  }
}
