export const banksHome = '/dashboard/operator/banks';
/** How far back the figures go, and for how long something counts as new. */
export const shownDays = 30;
export const newForDays = 7;
