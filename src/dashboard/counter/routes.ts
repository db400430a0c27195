import { announceRoutes } from './announce.ts';
import { counterRoutes } from './counter.ts';
import { linkRoutes } from './links.ts';
import { nearRoutes } from './near-credits.ts';
import { posterRoutes } from './poster.ts';
import { soundBoxRoutes } from './sound-box.ts';

export const counterScreenRoutes = [
  ...counterRoutes,
  ...nearRoutes,
  ...soundBoxRoutes,
  ...announceRoutes,
  ...linkRoutes,
  ...posterRoutes,
];
