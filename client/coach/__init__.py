"""The coach: what a seat's decisions cost, judged after the hand from what that seat could see when it was asked."""
