import { type Static, Type } from 'typebox';
import { closed } from '../orders/schemas.ts';
import { verdicts } from '../texts/verdicts.ts';
import { scenarioNames } from './scenarios.ts';

const verdictFields = {
  verdict: Type.Enum(verdicts.filter(one => one !== 'unjudged')),
  reason: Type.String({ description: 'The same in a sentence, as the merchant sees it.' }),
  order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The order that it paid, doubled or came too late for.',
  }),
};

export const verdictSchema = closed(verdictFields);

export const paySchema = Type.Object({ how: Type.Enum([...scenarioNames]) });

export const scenariosSchema = closed({
  data: Type.Array(
    closed({
      how: Type.Enum([...scenarioNames]),
      label: Type.String(),
      hint: Type.String(),
      pays: Type.Boolean({ description: 'Whether the order is paid when all goes as it should.' }),
    }),
  ),
});

export const paidSchema = closed({
  ...verdictFields,
  verdicts: Type.Array(verdictSchema, {
    description: 'One entry for each mail, in the order they were found. The fields beside it are the last.',
  }),
});

export const advanceSchema = Type.Object({
  advance_seconds: Type.Number({ minimum: 0, description: 'To the millisecond. Forward only.' }),
});

export const clockSchema = closed({
  now: Type.String({ format: 'date-time', description: "The sandbox's time from here on." }),
  ahead_seconds: Type.Number({ description: "How far the sandbox's clock is ahead of the machine's." }),
});
export type ClockJson = Static<typeof clockSchema>;

const bankId = Type.String({
  description: "The id of a bank's file, such as `kotak`; `sandbox` is the simulated one.",
});
const accountDigits = { pattern: '^[0-9]{2,6}$' };

export const accountSchema = Type.Object({
  bank: bankId,
  account_digits: Type.Optional(
    Type.String({ ...accountDigits, description: 'The last digits of the account. Left out they stay.' }),
  ),
});

export const accountAnswerSchema = closed({
  payment_account_id: Type.String(),
  bank: bankId,
  account_digits: Type.String(accountDigits),
});
export type AccountJson = Static<typeof accountAnswerSchema>;

export const settingsSchema = closed({
  hold_near_misses: Type.Boolean({
    description: 'Whether a plain slip moves its order to manual_review by itself. False at the start.',
  }),
});
export type SettingsJson = Static<typeof settingsSchema>;

export const dnsSchema = closed({ name: Type.String(), value: Type.String() });
