<?php

namespace Milaan\Woo;

use Milaan\MilaanError;

defined('ABSPATH') || exit;

const CHECK_HOOK = 'milaan_check_attempt';
const CHECK_GROUP = 'milaan';
/**
 * Seconds after an attempt's start. At the first check the order is final by the clock (5 minutes to pay, 10 for a late
 * mail). A person in Milaan may still give money to the order for days.
 */
const CHECKS = [16 * 60, 3600, 6 * 3600, 86400, 3 * 86400, 7 * 86400];
const PAUSE_WITHOUT_ANSWER = 10 * 60;

function schedule_check(int $order_id, string $id, int $number, ?int $at = null): void
{
    $args = [$order_id, $id, $number];
    // Action Scheduler's own "unique" compares only the hook, so one waiting check would block all others.
    if (isset(CHECKS[$number]) && !as_has_scheduled_action(CHECK_HOOK, $args, CHECK_GROUP)) {
        as_schedule_single_action($at ?? time() + CHECKS[$number] - (CHECKS[$number - 1] ?? 0), CHECK_HOOK, $args, CHECK_GROUP);
    }
}

/** Asks Milaan about one attempt, in case its webhook did not arrive. Action Scheduler calls it. */
function check_attempt(int $order_id, string $id, int $number): void
{
    $order = wc_get_order($order_id);
    $attempt = $order instanceof \WC_Order ? (attempts_of($order)[$id] ?? null) : null;
    $connection = $attempt === null ? null : connection($attempt['mode']);
    if ($connection === null || in_array($attempt['told'], ['paid', 'failed'], true)) {
        return;
    }
    $pending = [['order_id' => $attempt['order_id'], 'merchant_order_id' => $id]];
    foreach (client($connection, 2)->reconcile($pending) as $found) {
        if ($found['error'] instanceof MilaanError && is_passing($found['error'])) {
            log_line('warning', "attempt $id could not be asked for: {$found['error']->code}");
            if (time() - $attempt['started'] < max(CHECKS)) {
                schedule_check($order_id, $id, $number, time() + PAUSE_WITHOUT_ANSWER);
            }
            return;
        }
        if ($found['order'] !== null) {
            take_news($found['order'], $attempt['mode']);
        }
    }
    schedule_check($order_id, $id, $number + 1);
}

/** No answer, or one that may change: connecting again replaces a revoked key. */
function is_passing(MilaanError $error): bool
{
    return $error->code !== 'order_not_found';
}
