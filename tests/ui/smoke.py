# SPDX-License-Identifier: MIT
"""The scenarios of the app that ./test.sh runs. Each panel, form and dialog, opening and saving have at least one. ./test.sh all runs the rest, too.
run.py fails when a name here is not that of a test."""

SMOKE = set("""
light_stands_out every_action panes_by_key opens_under_its_row threshold_by_hand limits_by_keys count_from_the_menus takes_one_channel
undo_all_redo_all before_and_after slow_step_stops late_run_has_one steps_are_dragged step_menu tab_menu selection_menu

table_is_the_commands first_columns choose_measurement filter_fades distribution_is_live scatter_of_channels texts_in_the_table table_is_chosen

looks_right slider_changes_image channels_switch any_image_as_labels sky_positions ome_has_frames slices_are_a_volume

drop_files open_by_dialog damaged_file order_is_kept name_that_is_not_utf8 browse table_of_images image_is_dragged_out

rectangle_measures selections_of_imagej profile_opens scale_calibrates hand_edits_objects

dialog_writes_what_it_shows plot_is_saved tables_are_written_as_chosen all_is_saved closing_asks crash_and_restore

manual_opens typed_code macro_asks_first dialog_asks error_stands_at_its_line calculator card_is_compared buttons_have_pictures

letters_are_text german notes_float figures_are_whole image_has_half wayland
""".split())
