import { operator } from './operator.ts';
import { operatorBanks } from './operator-banks.ts';
import { operatorPlans } from './operator-plans.ts';
import { operatorPlatform } from './operator-platform.ts';
import { operatorSales } from './operator-sales.ts';
import { workshop } from './workshop.ts';

/** The operator's screens are in English only, so a language of shops needs none of these. */
export const operatorTexts = {
  operator,
  operatorBanks,
  operatorPlans,
  operatorPlatform,
  operatorSales,
  workshop,
} as const;
