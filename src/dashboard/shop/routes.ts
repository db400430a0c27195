import { get, lead } from '../frame/route.ts';
import { shopHome } from '../frame/shop-page.ts';
import { bankRoutes } from './bank.ts';
import { customersRoutes } from './customers.ts';
import { privacyPageRoutes } from './privacy-page.ts';
import { rulesRoutes } from './rules.ts';
import { shopIndex } from './shop-index.ts';

export const shopRoutes = [
  get(shopHome, 'business.read', shopIndex),
  lead('/dashboard/settings', shopHome),
  ...bankRoutes,
  ...customersRoutes,
  ...rulesRoutes,
  ...privacyPageRoutes,
];
