<?php
/** `php site.php {folder} {command} {json}`: what the drill does inside WordPress. Prints the answer as JSON between two marks. */
[, $folder, $command, $given] = $argv;
$given = json_decode($given, true);
$_SERVER += ['HTTP_HOST' => '127.0.0.1', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_URI' => '/'];
if ($command === 'install') {
    define('WP_INSTALLING', true);
}
define('WP_ADMIN', $command === 'activate');
require $folder . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
require_once ABSPATH . 'wp-admin/includes/file.php';

function order_facts(WC_Order $order): array
{
    return [
        'id' => $order->get_id(),
        'status' => $order->get_status(),
        'total' => (float) $order->get_total(),
        'transaction_id' => $order->get_transaction_id(),
        'created_via' => $order->get_created_via(),
        'attempts' => $order->get_meta('_milaan_attempts') ?: [],
        'notes' => array_map(function ($note) {
            return $note->content;
        }, wc_get_order_notes(['order_id' => $order->get_id(), 'order' => 'ASC'])),
        'store' => $order->get_data_store()->get_current_class_name(),
    ];
}

$commands = [
    'install' => function ($given) {
        wp_install('Anand Tea House', $given['name'], $given['email'], true, '', $given['password']);
        update_option('template', 'twentytwentyfour');
        return activate_plugin('woocommerce/woocommerce.php') === null;
    },
    'set-up' => function ($given) {
        WC_Install::install();
        WC_Install::create_pages();
        $options = [
            'woocommerce_currency' => 'INR',
            'woocommerce_default_country' => 'IN:DL',
            'woocommerce_coming_soon' => 'no',
            'woocommerce_onboarding_profile' => ['skipped' => true],
            'woocommerce_task_list_hidden' => 'yes',
            'woocommerce_show_marketplace_suggestions' => 'no',
            'woocommerce_allow_tracking' => 'no',
            'woocommerce_enable_guest_checkout' => 'yes',
            'show_avatars' => '0',
            'woocommerce_custom_orders_table_enabled' => $given['hpos'] ? 'yes' : 'no',
            'woocommerce_custom_orders_table_data_sync_enabled' => 'no',
            'permalink_structure' => $given['permalinks'],
        ];
        foreach ($options as $name => $value) {
            update_option($name, $value);
        }
        switch_theme($given['theme']);
        $pages = [];
        foreach (['classic' => ['checkout', '[woocommerce_checkout]'], 'cart' => ['cart', '[woocommerce_cart]']] as $name => [, $content]) {
            $pages[$name] = wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => "Drill $name", 'post_content' => $content]);
        }
        update_option('drill_pages', $pages + ['blocks' => wc_get_page_id('checkout')]);
        flush_rewrite_rules();
        return true;
    },
    'checkout' => function ($given) {
        update_option('woocommerce_checkout_page_id', get_option('drill_pages')[$given['kind']]);
        flush_rewrite_rules();
        return get_permalink(wc_get_page_id('checkout'));
    },
    'product' => function ($given) {
        $product = new WC_Product_Simple();
        $product->set_name($given['name']);
        $product->set_regular_price($given['price']);
        $product->set_virtual(true);
        $product->set_manage_stock(true);
        $product->set_stock_quantity($given['stock'] ?? 5);
        return $product->save();
    },
    'stock' => function ($given) {
        $product = wc_get_product($given['product']);
        if (isset($given['set'])) {
            wc_update_product_stock($product, $given['set']);
        }
        return (int) wc_get_product($given['product'])->get_stock_quantity();
    },
    'orders' => function () {
        return array_map('order_facts', wc_get_orders(['limit' => -1, 'type' => 'shop_order', 'status' => array_keys(wc_get_order_statuses())]));
    },
    'order' => function ($given) {
        return order_facts(wc_get_order($given['id']));
    },
    'settings' => function ($given) {
        update_option('woocommerce_milaan_settings', $given + get_option('woocommerce_milaan_settings', []));
        return true;
    },
    // Where the shop believes Milaan to be; answers where it believed it before.
    'milaan-at' => function ($given) {
        $connections = get_option('milaan_connections');
        $before = $connections['sandbox']['base_url'];
        $connections['sandbox']['base_url'] = $given['url'];
        update_option('milaan_connections', $connections, false);
        return $before;
    },
    // As WooCommerce does it when the time that it holds stock for is over.
    'cancel-unpaid' => function ($given) {
        global $wpdb;
        update_option('woocommerce_hold_stock_minutes', 1);
        $wpdb->query("update {$wpdb->posts} set post_modified = '2020-01-01', post_modified_gmt = '2020-01-01' where ID = " . (int) $given['id']);
        $wpdb->query("update {$wpdb->prefix}wc_orders set date_updated_gmt = '2020-01-01' where id = " . (int) $given['id']);
        add_filter('woocommerce_cancel_unpaid_order', '__return_true');
        wc_cancel_unpaid_orders();
        update_option('woocommerce_hold_stock_minutes', 60);
        return order_facts(wc_get_order($given['id']))['status'];
    },
    // Action Scheduler's own runner, once the time of what is planned has come.
    'run-planned' => function () {
        global $wpdb;
        $wpdb->query("update {$wpdb->prefix}actionscheduler_actions set scheduled_date_gmt = '2020-01-01', scheduled_date_local = '2020-01-01' where hook = 'milaan_check_attempt' and status = 'pending'");
        return ActionScheduler_QueueRunner::instance()->run('drill');
    },
    'refund' => function ($given) {
        $refund = wc_create_refund(['order_id' => $given['id'], 'amount' => $given['amount'], 'reason' => 'drill']);
        return is_wp_error($refund) ? $refund->get_error_message() : $refund->get_id();
    },
    'activate' => function ($given) {
        $problem = activate_plugin($given['plugin']);
        return is_wp_error($problem) ? $problem->get_error_message() : true;
    },
    'uninstall' => function () {
        deactivate_plugins('milaan-upi/milaan-upi.php');
        uninstall_plugin('milaan-upi/milaan-upi.php');
        return true;
    },
    // Every row in which our name is left, except the notes that are the shop's own books.
    'traces' => function () {
        global $wpdb;
        $found = [];
        foreach ($wpdb->get_col('show tables') as $table) {
            foreach ($wpdb->get_results("select * from `$table`", ARRAY_A) as $row) {
                $text = implode(' ', array_map('strval', $row));
                if (stripos($text, 'milaan') !== false) {
                    $found[] = [$table, mb_substr($text, 0, 200)];
                }
            }
        }
        return $found;
    },
];
$answer = $commands[$command]($given);
echo "\x01" . json_encode($answer) . "\x01";
