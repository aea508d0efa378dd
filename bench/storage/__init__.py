"""What a thousand small runs leave on disk, and what the last of them costs beside the tenth."""
