# SPDX-License-Identifier: MIT
"""The scenarios of the app that ./test.sh runs. Each panel, form and dialog, opening and saving have at least one. ./test.sh all runs the rest, too.
run.py fails when a name here is not that of a test."""

SMOKE = set("""
light_stands_out every_action panes_by_key opens_under_its_row threshold_by_hand limits_by_keys count_from_the_menus takes_one_channel
slow_step_stops undo_all_redo_all steps_are_dragged step_menu tab_menu selection_menu

table_is_the_commands first_columns scatter_of_channels table_is_chosen

looks_right slider_changes_image sky_positions ome_has_frames slices_are_a_volume

drop_files open_by_dialog damaged_file order_is_kept browse parts_of_names table_of_images wells heat_map

rectangle_measures selections_of_imagej profile_opens hand_edits_objects

dialog_writes_what_it_shows plot_is_saved tables_are_written_as_chosen all_is_saved closing_asks crash_and_restore

manual_opens typed_code macro_asks_first dialog_asks error_stands_at_its_line calculator gpu_is_compared models_are_managed

letters_are_text german figures_are_whole image_has_half wayland
""".split())
