<?php

namespace Milaan\Woo;

use Milaan\Milaan;
use Milaan\WebhookRefused;

defined('ABSPATH') || exit;

const LONGEST_WEBHOOK = 64 * 1024;

/** `?wc-api=milaan`: a 2xx only when the order is updated. Milaan sends everything else again. */
function answer_webhook(): void
{
    $body = (string) file_get_contents('php://input', false, null, 0, LONGEST_WEBHOOK + 1);
    status_header(receive_webhook($body, $_SERVER));
    nocache_headers();
    exit;
}

/** Returns the response status. */
function receive_webhook(string $body, array $headers): int
{
    if (strlen($body) > LONGEST_WEBHOOK) {
        return 413;
    }
    foreach (MODES as $mode) {
        $event = verified($body, $headers, $mode);
        if ($event !== null) {
            return take_event($event, $mode);
        }
    }
    return 400;
}

/** Each mode accepts only its own secret, so that the sandbox can never confirm a live payment. */
function verified(string $body, array $headers, string $mode): ?array
{
    $connection = connection($mode);
    if ($connection === null) {
        return null;
    }
    try {
        return Milaan::verifyWebhook($body, $headers, $connection['webhook_secret']);
    } catch (WebhookRefused $refused) {
        log_line('notice', "a webhook was refused ($mode): {$refused->reason}");
        return null;
    }
}

function take_event(array $event, string $mode): int
{
    // The test button's event, and types that a newer Milaan may send.
    if (!in_array($event['type'], ['payment.paid', 'payment.review'], true) || !is_array($event['data'])) {
        return 204;
    }
    try {
        if (!take_news($event['data'], $mode)) {
            tell_of_unknown($event['data'], $mode);
        }
        return 204;
    } catch (LockBusy $busy) {
        return 503;
    } catch (\Throwable $error) {
        log_line('error', 'a webhook could not be worked on: ' . $error->getMessage());
        return 500;
    }
}

/** A repeated delivery would not find the order either. The money is there, so a person is notified. */
function tell_of_unknown(array $news, string $mode): void
{
    $id = (string) ($news['merchant_order_id'] ?? '');
    log_line('error', "a payment for $id, which this shop does not know ($mode)");
    if ($mode === 'live' && order_id_in($id) !== null) {
        $subject = __('A UPI payment for an order that does not exist', 'milaan-upi');
        /* translators: 1: sum, 2: Milaan's order id, 3: the shop's id of the try to pay */
        wp_mail(get_option('admin_email'), $subject, sprintf(__('%1$s came for %2$s (%3$s), but the shop has no such order any more. Look it up in Milaan and give the money back if nothing is owed for it.', 'milaan-upi'), rupees($news['payable_amount']), $news['order_id'], $id));
    }
}
