/** `npm run drill -- screenshots [FOLDER [NAMES]]`: the payment page and the widget, then the dashboard. */
import './page.ts';
import './dashboard.ts';
