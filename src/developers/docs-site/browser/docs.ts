import { offerCopying } from './offer-copying.ts';
import { offerSearch } from './offer-search.ts';
import { offerTabs } from './offer-tabs.ts';

// On a phone the menu starts closed; on a wide screen it has its own column.
const wide = matchMedia('(min-width: 56rem)');
const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const fold = () => {
  if (menu) menu.open = wide.matches;
};
fold();
wide.addEventListener('change', fold);

offerTabs();
offerCopying();
offerSearch();
