export const operatorPlans = {
  text: 'What businesses may collect, how many accounts they may use and how long their orders stay. “milaan plans apply FILE” changes them too.',
  fields: {
    monthly_limit_paise: 'collections a month',
    account_limit: 'accounts',
    history_days: 'history',
    upgrade_url: 'upgrade_url',
  },
  noEnd: 'no end',
  days: (count: number) => `${count} days`,
  added: (plan: string, fields: string) => `${plan}: new: ${fields}`,
  removed: (plan: string, businesses: number) => `${plan}: removed; businesses on it: ${businesses}`,
  changed: (plan: string, field: string, before: string, after: string, businesses: number) =>
    `${plan}: ${field} ${before} → ${after}; businesses on it: ${businesses}`,
  leaves: (plan: string, before: string, after: string, orders: string, businesses: string, day: string) =>
    `${plan}: history ${before} → ${after} days: ${orders} orders of ${businesses} businesses would leave (hidden at once, deleted from ${day} on)`,
  change: 'Change the plans',
  json: 'All plans, as JSON',
  jsonHint: 'A plan that is not in it is removed; one that businesses are on cannot be.',
  show: 'Show what this changes',
  same: 'These plans are in force already.',
  ask: 'Put these plans in force?',
  apply: 'Put them in force',
  applied: 'These plans are in force now.',
  refused: (why: string) => `Nothing was changed: ${why}.`,
};
