import { type Html, html } from '../../base/http/html.ts';

/** Drawn on a 24-unit square with one line width, so that all icons match. */
const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  ask: 'M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.7v.1',
  back: 'M20 12H5M11 6l-6 6 6 6',
  bank: 'M3 9.5L12 4l9 5.5zM4 20h16M6 12.5V17m4-4.5V17m4-4.5V17m4-4.5V17',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  chat: 'M4 5h16v11.5H11L6.5 20v-3.5H4z',
  chevron: 'M9.5 6l6 6-6 6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.5l3.5 2',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  collect: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM20 14v6M14 20h2.5',
  counter: 'M5 3h14v18H5zM8.5 7.5h7M8.5 12.5h1.5m4 0h1.5M8.5 16.5h1.5m4 0h1.5',
  cross: 'M6 6l12 12M18 6L6 18',
  doc: 'M5 3h9.5L19 7.5V21H5zM14 3v5h5M8.5 13h7M8.5 17h7',
  down: 'M6 9.5l6 6 6-6',
  download: 'M12 4v11M7.5 11L12 15.5 16.5 11M5 15v5h14v-5',
  erase: 'M9 6h12v12H9l-6-6zM12.5 9.5l5 5M17.5 9.5l-5 5',
  filter: 'M4 7h16M7 12h10M10 17h4',
  flag: 'M6 21V4h12l-2.5 4L18 12H6',
  health: 'M3 12.5h4l3-7.5 4 14 3-6.5h4',
  home: 'M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L3 17v4h4v-2.5h2.5V16H12z',
  link: 'M9 8H7.5a4 4 0 0 0 0 8H9M15 8h1.5a4 4 0 0 1 0 8H15M8.5 12h7',
  lock: 'M6 11h12v9.5H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  log: 'M5 4h14v16H5zM9 9.5l1.5 1.5L13.5 8M9 15.5h6',
  mail: 'M3 6h18v12.5H3zM3.5 7l8.5 6.5L20.5 7',
  moon: 'M19.5 14A8 8 0 1 1 10 4.5a6.5 6.5 0 0 0 9.5 9.5z',
  more: 'M5.5 12h.1M12 12h.1M18.5 12h.1',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 5-1.3M5.5 12a9 9 0 0 1 4-2.3M3 8.5a13 13 0 0 1 4-2.4M12 6a13 13 0 0 1 9 2.5M15 10.3a9 9 0 0 1 3.5 1.7M12 19v.1',
  open: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  payments: 'M7 5h10M7 9.5h10M7 5h3.5a4.25 4.25 0 0 1 0 8.5H7l7 6.5',
  phone: 'M7 3h10v18H7zM10.5 17.5h3',
  plan: 'M12 4l9 4.5-9 4.5-9-4.5zM3 13l9 4.5 9-4.5',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 8V3.5h10V8M7 17H4V8h16v9h-3M7 14h10v6.5H7z',
  reports: 'M4 20.5h16M6.5 17v-4M12 17V8M17.5 17V4',
  return: 'M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  share:
    'M6 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17.5 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17.5 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.3 10.8l7-3.6M8.3 13.2l7 3.6',
  shop: 'M4 9.5L5.5 4h13L20 9.5V20H4zM4 9.5h16M10 20v-5.5h4V20',
  signOut: 'M13.5 4H5v16h8.5M10 12h11M17 8l4 4-4 4',
  sound: 'M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6',
  tick: 'M5 12.5l4.5 4.5L19 7.5',
  up: 'M7 14l5-5 5 5',
  warning: 'M12 3.5l9.5 16.5h-19zM12 9.5v5M12 17.3v.4',
} as const;

export type IconName = keyof typeof paths;

/** Decorative: it is always next to a word or in something with a name. */
export function icon(name: IconName, less = false): Html {
  return html`<svg class="icon${less && ' less'}" viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"></path></svg>`;
}
