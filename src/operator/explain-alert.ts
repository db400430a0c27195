import { explainAlert } from '../alerts/explain-alert.ts';
import { loadBanks } from '../alerts/load-banks.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { openDns } from '../network/dns.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './command.ts';

/** The tool for "why was my alert not accepted", and for writing a template. Touches no database. */
export const explainAlertCommand: Command = {
  needs: 'nothing',
  summary: 'tell for raw mails (a.eml b.eml …) why each is or is not accepted, one JSON object a line',
  options: {
    'addressed-to': { meaning: 'the alert addresses of the business, separated by commas', required: true },
    dns: { meaning: 'a JSON file of DNS names and TXT strings that replaces DNS', required: false },
    at: { meaning: 'the moment of arrival, such as 2026-11-14T10:00:00Z; otherwise now', required: false },
  },
  async run(args: string[]): Promise<number> {
    const read = readConfig([]);
    if ('problems' in read) throw new StartError(read.problems.join('; '));
    const { banksFile, dnsServers } = read.config;
    return explainAlert(
      {
        clock: systemClock,
        dns: openDns(dnsServers),
        banks: banksFrom(banksFile),
        print: line => console.log(line),
        complain: sentence => console.error(`milaan: ${sentence}`),
      },
      args,
    );
  },
};

function banksFrom(banksFile: string | null) {
  try {
    return loadBanks(banksFile);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}
