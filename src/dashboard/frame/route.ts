import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Permission, VisitorRole } from '../../business/accounts/may-do.ts';
import type { SessionKey } from '../../business/accounts/queries/sessions.ts';
import type { Person } from '../../business/accounts/queries/users.ts';
import type { Language, Texts } from '../../texts/languages.ts';

export type OpenVisit = {
  texts: Texts;
  /** A POST's fields; empty for a GET. */
  form: Form;
  query: Form;
  params: Readonly<Record<string, string>>;
  now: Date;
  /** The path with its query, for links back to this page. */
  url: string;
  address: string;
  agent: string;
  /** The cookie's token as it came, for the sign-in steps. */
  cookie: string | null;
  request: FastifyRequest;
};

/** A signed-in person's visit. Every query takes `merchantId` from here, never from the request (R12). */
export type Visit = OpenVisit & {
  merchantId: number;
  user: Person & {
    email: string;
    name: string;
    role: VisitorRole;
    language: Language | null;
    hasTotp: boolean;
  };
  session: SessionKey & { confirmed: boolean };
  merchant: {
    name: string;
    disabledAt: Date | null;
    disabledReason: string;
    noNewOrders: boolean;
    /** The end of an operator's support view. It is set only in that operator's own visit. */
    supportViewUntil: Date | null;
    deletionRequestedAt: Date | null;
    /** Set once the business was moved away with all its data. */
    leftAt: Date | null;
    closed: boolean;
  };
  may(permission: Permission): boolean;
  /** True if there is such a page and the person may open it. */
  mayOpen(path: string): boolean;
};

export type Page = {
  title: string;
  body: Html;
  status?: number;
  /** Shown once above the body; for a page that answers a POST. */
  flash?: string;
  /** A second origin, next to our own, to which the page's forms may lead. */
  formTo?: string;
};

/** A form that takes the last action back. Its route checks the time again. */
export type Undo = { action: string; values?: Record<string, string>; until: Date };

export type Answer =
  | ({ kind: 'page' } & Page)
  /** `flash` is shown by the next page, with a button if there is an `undo`. `session` sets a token, or ends it. */
  | { kind: 'redirect'; to: string; flash?: string; undo?: Undo; session?: { token: string } | 'end' }
  /** HTML without the frame, for scripts that refresh a part of the page. */
  | { kind: 'fragment'; body: Html }
  | { kind: 'json'; value: unknown; status?: number }
  | { kind: 'download'; name: string; type: string; content: Readable | Buffer | string }
  /** Also used for another business's things, so that nobody can tell the two cases apart (R12). */
  | { kind: 'not_found' };

type Path = `/dashboard${string}`;

type Members = {
  permission: Permission;
  /** Requires the password or a passkey again after more than ten minutes. */
  reauth?: boolean;
  /** Its form may contain a file. This is the limit in bytes for all fields together. */
  upload?: number;
};

type Handle<Who> = (world: World, visit: Who extends 'anyone' ? OpenVisit : Visit) => Promise<Answer>;

/** The list of all routes is data, so that tests can walk it. */
export type DashboardRoute = { method: 'GET' | 'POST'; path: Path } & (
  | (Members & { handle: Handle<Permission> })
  | { permission: 'anyone'; handle: Handle<'anyone'> }
);

/** The only way to declare a dashboard page: its address, who may open it, and what it does. */
type Declare = {
  (path: Path, who: 'anyone', handle: Handle<'anyone'>): DashboardRoute;
  (path: Path, who: Permission | Members, handle: Handle<Permission>): DashboardRoute;
};

const declare =
  (method: 'GET' | 'POST'): Declare =>
  (path: Path, who: 'anyone' | Permission | Members, handle: Handle<never>) =>
    ({ method, path, ...(typeof who === 'string' ? { permission: who } : who), handle }) as DashboardRoute;

export const get = declare('GET');
export const post = declare('POST');
/** Only for a person who has just confirmed who they are. */
export const reauth = (permission: Permission): Members => ({ permission, reauth: true });

export const page = (page: Page): Answer => ({ kind: 'page', ...page });
export const redirect = (to: string, flash?: string, { undo }: { undo?: Undo } = {}): Answer => ({
  kind: 'redirect',
  to,
  ...(flash !== undefined && { flash }),
  ...(undo && { undo }),
});
/** A page's old address. It leads to the new one with the same query. */
export const lead = (old: Path, to: string, who: Permission = 'business.read'): DashboardRoute =>
  get(old, who, async (_world, { url }) => {
    const [, ...query] = url.split('?');
    return redirect([to, ...query].join(to.includes('?') ? '&' : '?'));
  });
/** For the script of a page of release 0.2.0 that is still open: it leaves for the page that `data-over` names. */
export const leave = (to: string): Answer => ({
  kind: 'fragment',
  body: html`<div data-over="${to}"></div>`,
});
export const notFound = (): Answer => ({ kind: 'not_found' });

const below = /^\/dashboard(?:[/?#]|$)/;

/** The next page: always a dashboard path, whatever the field says, in a form that a header can carry. */
export const nextPath = (form: Form, otherwise = '/dashboard'): string => {
  const next = form.text('next');
  const url = URL.parse(next, 'http://here.invalid');
  if (url?.host !== 'here.invalid' || !below.test(next) || /[\\\r\n]/.test(next)) return otherwise;
  return below.test(url.pathname) ? url.pathname + url.search + url.hash : otherwise;
};
