import { type Html, html } from '../../base/http/html.ts';

/** Drawn on a square of 24 with one pen, so that any two of them look related. */
const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  audit: 'M5 4h14v16H5zM9 9.5l1.5 1.5L13.5 8M9 15.5h6',
  counter: 'M5 3h14v18H5zM8.5 7.5h7M8.5 12.5h1.5m4 0h1.5M8.5 16.5h1.5m4 0h1.5',
  firstSteps: 'M6 21V4h12l-2.5 4L18 12H6',
  home: 'M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z',
  integrations: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  links: 'M9 8H7.5a4 4 0 0 0 0 8H9M15 8h1.5a4 4 0 0 1 0 8H15M8.5 12h7',
  mailbox: 'M3 6h18v12.5H3zM3.5 7l8.5 6.5L20.5 7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  money: 'M7 5h10M7 9.5h10M7 5h3.5a4.25 4.25 0 0 1 0 8.5H7l7 6.5',
  newPayment: 'M12 5v14M5 12h14',
  notices: 'M6 17v-6a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  operator: 'M4 9.5L5.5 4h13L20 9.5V20H4zM4 9.5h16M10 20v-5.5h4V20',
  operatorPlans: 'M12 4l9 4.5-9 4.5-9-4.5zM3 13l9 4.5 9-4.5',
  operatorSales: 'M4 4h7.5L20 12.5 12.5 20 4 11.5zM8.5 8.5h.1',
  operatorBanks: 'M3 9.5L12 4l9 5.5zM4 20h16M6 12.5V17m4-4.5V17m4-4.5V17m4-4.5V17',
  operatorHealth: 'M3 12.5h4l3-7.5 4 14 3-6.5h4',
  operatorWatch: 'M12 3.5l9.5 16.5h-19zM12 9.5v5M12 17.3v.4',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12.5h5',
  plan: 'M4 20.5h16M6.5 17v-4M12 17V8M17.5 17V4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  signOut: 'M13.5 4H5v16h8.5M10 12h11M17 8l4 4-4 4',
  statement: 'M5 3h9.5L19 7.5V21H5zM14 3v5h5M8.5 13h7M8.5 17h7',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6',
  upiAccounts: 'M3 6h18v12.5H3zM3 10.5h18M6.5 15h4',
  webhooks: 'M3 12h12.5M11 7.5l4.5 4.5-4.5 4.5M20.5 5v14',
  workshop: 'M4.5 19.5l7-7M9.5 7.5l7 7 3-3-2.5-5.5L11.5 4z',
} as const;

/** Always beside a word: it says nothing of its own. */
export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"></path></svg>`;
}
