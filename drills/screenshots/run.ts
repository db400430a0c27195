/** `npm run drill -- faults screenshots [FOLDER [NAMES]]`: the payment page and the widget, then the dashboard. */
import './page.ts';
import './dashboard.ts';
