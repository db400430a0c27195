import { judgeAgain } from '../../alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../../alerts/judging/open-judging.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';

/** Judges mails again after a DNS key was wrong for long, or after a bank entry was extended. */
export const judgeAgainCommand: Command = {
  needs: 'database',
  summary: 'judge stored mails again that paid nothing: give at least one option',
  options: {
    business: { meaning: 'the id of the business, as list-businesses prints it' },
    bank: { meaning: 'the id of the bank, as its file has it, such as hdfc' },
    day: { meaning: 'the day on which they arrived, in India, such as 2026-11-15' },
    alert: { meaning: 'the id of one alert' },
  },
  async run(world, options) {
    await world.banks.reload(world);
    const chosen = {
      merchantId: readMerchantId(options['business']),
      bank: readBank(options['bank'], world.banks.current()),
      day: readDay(options['day']),
      alertId: options['alert'] ?? null,
    };
    if (Object.values(chosen).every(side => side === null))
      throw new StartError('judge-again needs --business, --bank, --day or --alert');
    const judging = openJudging(world);
    try {
      const changes = await judgeAgain(world, judging.tools, chosen);
      if (changes.length === 0) console.log('no stored mail fits that can be judged again; nothing was done');
      for (const { before, after, count } of changes) console.log(`${before} → ${after}  ${count}`);
      return 0;
    } finally {
      await judging.close();
    }
  },
};

function readMerchantId(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new StartError('--business must be the number of a business');
  return Number(text);
}

function readBank(text: string | undefined, banks: readonly { id: string }[]): string | null {
  if (text !== undefined && !banks.some(({ id }) => id === text))
    throw new StartError(`there is no bank "${text}"`);
  return text ?? null;
}

function readDay(text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(text))
    throw new StartError('--day must be a day such as 2026-11-15');
  return text;
}
