import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { DashboardRoute, Visit } from '../frame/route.ts';

/** A change to one business runs in that business's cell. */
export function inItsCell(route: DashboardRoute): DashboardRoute {
  if (!route.path.includes(':merchant_id')) return route;
  const handle = route.handle as (world: World, visit: Visit) => ReturnType<typeof route.handle>;
  return {
    ...route,
    handle: (world: World, visit: Visit) =>
      handle(world.cells?.of(Number(visit.params['merchant_id']) || 0) ?? world, visit),
  } as DashboardRoute;
}

/** The chosen cell alone; without a choice all cells. */
export function chosenCell(world: World, { query }: Visit): World {
  const asked = world.cells?.worlds[Number.parseInt(query.text('cell'), 10)];
  if (!asked) return world;
  const { cells: _all, ...alone } = asked;
  return alone;
}

export function cellLinks({ cells }: World, { texts, query }: Visit, path: string): Html | false {
  if (!cells) return false;
  const link = (cell: string, text: string) =>
    query.text('cell') === cell
      ? html`<strong aria-current="true">${text}</strong> `
      : html`<a href="${path}${cell && `?cell=${cell}`}">${text}</a> `;
  const { allCells, cell } = texts.operator;
  return html`<p class="actions">${link('', allCells)}${cells.worlds.map((_, number) => link(String(number), cell({ number })))}</p>`;
}
