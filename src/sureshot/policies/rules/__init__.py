"""The policies, one file each, under the name that a study or a campaign calls it by."""
