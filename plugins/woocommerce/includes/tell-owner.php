<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** Only people who open the order see a note. Urgent news also goes by mail. */
function tell_owner(\WC_Order $order, string $words): void
{
    $order->add_order_note($words);
    /* translators: %s: order number */
    $subject = sprintf(__('Order %s: a UPI payment needs you', 'milaan-upi'), $order->get_order_number());
    wp_mail(get_option('admin_email'), $subject, $words . "\n\n" . $order->get_edit_order_url());
}
