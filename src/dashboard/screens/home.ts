import { html } from '../../http/html.ts';
import { card } from '../components/card.ts';
import { pageHead } from '../components/page-head.ts';
import { type DashboardRoute, page } from '../route.ts';

export const homeRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/dashboard',
    permission: 'business.read',
    async handle(_world, { texts, business }) {
      const title = texts.shell.navigation.home;
      return page({ title, body: html`${pageHead(title)}${card(html`<p><bdi>${business.name}</bdi></p>`)}` });
    },
  },
];
