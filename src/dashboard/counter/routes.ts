import { announceRoutes } from './announce.ts';
import { boxRoutes } from './box.ts';
import { counterRoutes } from './counter.ts';
import { linkRoutes } from './links.ts';
import { nearRoutes } from './near-credits.ts';
import { posterRoutes } from './poster.ts';

export const counterScreenRoutes = [
  ...counterRoutes,
  ...nearRoutes,
  ...boxRoutes,
  ...announceRoutes,
  ...linkRoutes,
  ...posterRoutes,
];
