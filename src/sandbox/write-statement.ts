import { paise, rupeesText } from '../base/money.ts';
import { falseEnd } from './pay-order.ts';
import type { Playground } from './playground.ts';
import { readBooked } from './queries.ts';
import { bookedOn } from './write-alert.ts';

/** The simulated bank's own statement, as its net banking would give it: without what it mailed and never booked. */
export async function writeStatement({ world, demo }: Playground): Promise<string> {
  const booked = await readBooked(world.sql, demo.merchantId, falseEnd);
  const lines = booked.map(({ at, reference, paise: sum }) =>
    [bookedOn(at), `UPI-ASHA VERMA-${reference}`, reference, '', rupeesText(paise(sum))].join(','),
  );
  return `${['Date,Narration,Ref No,Withdrawal,Deposit', ...lines].join('\r\n')}\r\n`;
}
