<?php
/**
 * Plugin Name: Milaan UPI for WooCommerce
 * Description: UPI payments straight into your own bank account, confirmed by your bank's own mails. No payment gateway in between.
 * Version: 0.2.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 9.2
 * Text Domain: milaan-upi
 * Domain Path: /languages
 */

namespace Milaan\Woo;

defined('ABSPATH') || exit;

const VERSION = '0.2.0';
const PLUGIN_FILE = __FILE__;
/** The payment method's id in orders, settings, addresses and logs. */
const METHOD = 'milaan';

require __DIR__ . '/includes/Milaan.php';
foreach (glob(__DIR__ . '/includes/*.php') as $file) {
    // These two extend WooCommerce's classes and are loaded once it is there.
    if (!in_array(basename($file), ['gateway.php', 'blocks.php'], true)) {
        require_once $file;
    }
}

add_action('before_woocommerce_init', function () {
    if (class_exists('\Automattic\WooCommerce\Utilities\FeaturesUtil')) {
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('custom_order_tables', PLUGIN_FILE, true);
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('cart_checkout_blocks', PLUGIN_FILE, true);
    }
});
add_action('init', function () {
    load_plugin_textdomain('milaan-upi', false, dirname(plugin_basename(PLUGIN_FILE)) . '/languages');
});
add_filter('woocommerce_payment_gateways', function ($gateways) {
    require_once __DIR__ . '/includes/gateway.php';
    $gateways[] = Gateway::class;
    return $gateways;
});
add_action('woocommerce_blocks_payment_method_type_registration', function ($registry) {
    require_once __DIR__ . '/includes/blocks.php';
    $registry->register(new Blocks());
});
add_filter('plugin_action_links_' . plugin_basename(PLUGIN_FILE), function ($links) {
    array_unshift($links, '<a href="' . esc_url(settings_url()) . '">' . esc_html__('Settings', 'milaan-upi') . '</a>');
    return $links;
});

add_action('woocommerce_api_' . METHOD, __NAMESPACE__ . '\answer_webhook');
add_action('woocommerce_api_' . METHOD . '_pay', __NAMESPACE__ . '\answer_widget');
add_action('woocommerce_receipt_' . METHOD, __NAMESPACE__ . '\show_widget');
add_action('template_redirect', __NAMESPACE__ . '\welcome_back');
add_filter('woocommerce_thankyou_order_received_text', __NAMESPACE__ . '\thank_you_text', 10, 2);
add_action(CHECK_HOOK, __NAMESPACE__ . '\check_attempt', 10, 3);
add_action('woocommerce_order_refunded', __NAMESPACE__ . '\note_refund', 10, 2);
add_action('admin_post_milaan_connect', __NAMESPACE__ . '\start_connecting');
add_action('admin_post_milaan_connected', __NAMESPACE__ . '\finish_connecting');
add_action('admin_post_milaan_disconnect', __NAMESPACE__ . '\disconnect');
add_action('admin_post_milaan_test', __NAMESPACE__ . '\answer_test');
